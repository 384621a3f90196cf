"""Run folders: settings, files, what is kept, where work runs."""
