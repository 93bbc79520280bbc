"""Parts of a page that are more than a widget: pictures, lists, text from files."""
