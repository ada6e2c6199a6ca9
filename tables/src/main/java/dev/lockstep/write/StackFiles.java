// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.report.WeightedStacks;
import dev.lockstep.table.IntList;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Stacks with weights as files that flame graph viewers read. */
public final class StackFiles {
    private StackFiles() {}

    /**
     * Writes folded stacks: a line for each stack, its parts joined by semicolons, and its own time in whole ns behind a
     * blank. Semicolons and line ends in names become commas and blanks.
     *
     * @param stacks what to write
     * @param file where to
     * @throws IOException if it cannot be written
     */
    public static void folded(WeightedStacks stacks, Path file) throws IOException {
        try (BufferedWriter out = NamedFiles.writer(file)) {
            for (int stack = 1; stack < stacks.size(); stack++) {
                if (stacks.own(stack) == 0) {
                    continue;
                }
                IntList parts = stacks.parts(stack);
                for (int i = 0; i < parts.size(); i++) {
                    out.write(i == 0 ? "" : ";");
                    out.write(Unicode.wellFormed(plain(stacks.name(parts.get(i)))));
                }
                out.write(" " + stacks.own(stack) + "\n");
            }
        }
    }

    private static String plain(String name) {
        String text = name.replace(';', ',').replace('\n', ' ').replace('\r', ' ');
        return text.isEmpty() ? "(no name)" : text;
    }

    /**
     * Writes a file for speedscope: a profile for each kind of stacks, each stack one sample with its own time in ns.
     *
     * @param name shown by the viewer
     * @param profiles kinds of stacks
     * @param file where to
     * @throws IOException if it cannot be written
     */
    public static void speedscope(String name, List<WeightedStacks> profiles, Path file) throws IOException {
        Map<String, Integer> frames = new HashMap<>();
        try (JsonGenerator out = new JsonFactory().createGenerator(NamedFiles.writer(file))) {
            out.writeStartObject();
            out.writeStringField("$schema", "https://www.speedscope.app/file-format-schema.json");
            out.writeStringField("name", Unicode.wellFormed(name));
            out.writeStringField("exporter", "lockstep");
            out.writeNumberField("activeProfileIndex", 0);
            out.writeObjectFieldStart("shared");
            out.writeArrayFieldStart("frames");
            for (WeightedStacks stacks : profiles) {
                for (String part : stacks.names()) {
                    if (frames.putIfAbsent(part, frames.size()) == null) {
                        out.writeStartObject();
                        out.writeStringField("name", part.isEmpty() ? "(no name)" : Unicode.wellFormed(part));
                        out.writeEndObject();
                    }
                }
            }
            out.writeEndArray();
            out.writeEndObject();
            out.writeArrayFieldStart("profiles");
            for (WeightedStacks stacks : profiles) {
                profile(stacks, frames, out);
            }
            out.writeEndArray();
            out.writeEndObject();
        }
    }

    private static void profile(WeightedStacks stacks, Map<String, Integer> frames, JsonGenerator out)
            throws IOException {
        int[] frameOf = stacks.names().stream()
                .mapToInt(part -> frames.getOrDefault(part, 0))
                .toArray();
        out.writeStartObject();
        out.writeStringField("type", "sampled");
        out.writeStringField("name", stacks.title());
        out.writeStringField("unit", "nanoseconds");
        out.writeNumberField("startValue", 0);
        out.writeNumberField("endValue", stacks.whole()[WeightedStacks.ROOT] - stacks.own(WeightedStacks.ROOT));
        out.writeArrayFieldStart("samples");
        for (int stack = 1; stack < stacks.size(); stack++) {
            if (stacks.own(stack) > 0) {
                out.writeStartArray();
                IntList parts = stacks.parts(stack);
                for (int i = 0; i < parts.size(); i++) {
                    out.writeNumber(frameOf[stacks.nameNumber(parts.get(i))]);
                }
                out.writeEndArray();
            }
        }
        out.writeEndArray();
        out.writeArrayFieldStart("weights");
        for (int stack = 1; stack < stacks.size(); stack++) {
            if (stacks.own(stack) > 0) {
                out.writeNumber(stacks.own(stack));
            }
        }
        out.writeEndArray();
        out.writeEndObject();
    }
}
