"""What the documentation's pages are made of: tables and words read from the code itself."""
