// SPDX-License-Identifier: Apache-2.0
/**
 * The program as a server of the Model Context Protocol: {@link dev.lockstep.cli.mcp.McpCommand} speaks it over standard input and
 * output, {@link dev.lockstep.cli.mcp.McpTools} runs command lines of the program that only read.
 */
@NullMarked
package dev.lockstep.cli.mcp;

import org.jspecify.annotations.NullMarked;
