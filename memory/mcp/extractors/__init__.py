"""One file a kind of tool: each says whether a result is its own (`fits`) and takes it apart (`extract`)."""
