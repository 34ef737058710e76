"""Making generated code what a careful person would have written: ir to ir."""
