// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.aiu.pipeline.AiuLog.Level;
import dev.lockstep.cli.Screen;
import java.io.PrintWriter;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.BiConsumer;

/** Prints lines as acelyzer does: time, level, text; errors and warnings in colour. */
final class AiuConsole implements BiConsumer<Level, String> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS", Locale.ROOT);
    private static final int WIDTH = 8;

    private final PrintWriter out;

    AiuConsole(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void accept(Level level, String line) {
        String word = level.name();
        String colour = switch (level) {
            case ERROR -> "\u001b[91m";
            case WARNING -> "\u001b[93m";
            default -> "";
        };
        String shown = " ".repeat(Math.max(0, WIDTH - word.length())) + word;
        String painted = colour.isEmpty() || !Screen.of(out).isColoured() ? shown : colour + shown + "\u001b[0m";
        out.print(LocalDateTime.now(ZoneId.systemDefault()).format(TIME) + " " + painted);
        out.println(" " + line + " ");
    }
}
