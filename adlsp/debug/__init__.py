"""The debugger: a proxy for the Debug Adapter Protocol that knows derivatives."""
