"""How the documentation site is built: `make docs`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent / "extensions"), str(Path(__file__).parents[1])]

project = "combatkit"
author = "combatkit contributors"
copyright = author

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "drawn_charts",
    "five_ways",
    "public_names",
    "rulebooks",
    "try_it",
    "wire",
    "without_network",
]
exclude_patterns = ["pictures/*", "**/.ipynb_checkpoints"]
default_role = "py:obj"
suppress_warnings = [
    "mystnb.unknown_mime_type",  # a live widget in a notebook's output: its static picture beside it is shown
]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

# Cells of the guides run at every build; the notebooks show the outputs they are kept with, which nbval compares.
nb_execution_mode = "force"
nb_execution_excludepatterns = ["notebooks/*"]
nb_execution_raise_on_error = True
nb_execution_timeout = 60
nb_execution_show_tb = True
nb_ipywidgets_js: dict[str, dict[str, str]] = {}  # the pictures stand by themselves, and nothing comes from elsewhere
nb_mime_priority_overrides = [("html", "text/html", 0)]

autodoc_member_order = "alphabetical"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 88
python_use_unqualified_type_names = True
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False

html_theme = "furo"
html_title = "combatkit"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["try.js"]
html_copy_source = False
html_show_copyright = False
html_show_search_summary = (
    False  # excerpts are fetched page by page, which a browser refuses to a page opened from a file
)
html_theme_options = {"navigation_with_keys": True}
