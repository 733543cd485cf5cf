"""The only room that runs the user's code: sandbox, supervised processes, the client of the Node shim, series."""
