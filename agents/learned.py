"""Learned policies, read from the folder of a training run."""
