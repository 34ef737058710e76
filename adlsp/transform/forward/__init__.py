"""Forward mode: from a function and its facts to functions that compute tangents."""
