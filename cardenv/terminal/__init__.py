"""The terminal: playing against agents, and looking at replays."""
