"""What all pages stand in: server, theme, sidebar, state, address, caches and long work."""
