"""The pure part: state, events, rulings, schedule. No I/O, no clock on the wall, no polars, no widgets."""
