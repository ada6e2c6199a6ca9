// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

/** A value that is kept as the JSON text it was read from. */
public record RawJson(String text) {}
