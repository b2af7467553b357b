"""The Model Context Protocol's side: tool definitions and tool results, made safe to pass on."""
