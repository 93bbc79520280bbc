"""Which cases deserve a look, and one case in detail."""
