/** The agent API as tools, resources and prompts of the Model Context Protocol (docs/reference/mcp.md). */
@NullMarked
package dev.agentpolicy.adapter.http.mcp;

import org.jspecify.annotations.NullMarked;
