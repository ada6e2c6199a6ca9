// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.cli.HiddenValues;
import dev.lockstep.error.NamedFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run's processes print: into the run's log as it comes, to the console if wanted, and the last lines are kept.
 * Lines of several ranks begin with their rank and are never mixed. Safe for several threads.
 */
final class RunLog implements AutoCloseable {
    private static final int LAST_LINES = 20;
    private static final int LONGEST_LINE = 1 << 16;
    private static final int LONGEST_CHARACTER = 4;
    private static final int BUFFER = 1 << 14;

    private final OutputStream file;
    private final @Nullable PrintWriter console;
    private final HiddenValues secrets;
    private final Map<Integer, Deque<String>> last = new HashMap<>();
    private @Nullable IOException failure;

    /** @param secrets never written, whatever the processes print */
    RunLog(Path file, @Nullable PrintWriter console, HiddenValues secrets) throws IOException {
        this.secrets = secrets;
        this.file = NamedFiles.out(LaunchPlaces.file(file));
        this.console = console;
    }

    /** Copies all that the stream gives, until its end. */
    void copy(InputStream printed, int rank) {
        String prefix = rank < 0 ? "" : "[rank" + rank + "] ";
        Lines lines = new Lines(rank, prefix);
        byte[] buffer = new byte[BUFFER];
        try (InputStream from = secrets.around(printed)) {
            for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                lines.add(buffer, read);
            }
        } catch (IOException e) {
            lines.end(); // the stream was closed since its process is gone
            return;
        }
        lines.end();
    }

    private synchronized void write(byte[] bytes, int count, String text) {
        if (failure == null) {
            try {
                file.write(bytes, 0, count);
            } catch (IOException e) {
                failure = e; // the run goes on, and what it prints is still read
            }
        }
        if (console != null) {
            console.write(text);
            console.flush();
        }
    }

    private synchronized void remember(int rank, String line) {
        Deque<String> lines = last.computeIfAbsent(rank, any -> new ArrayDeque<>());
        lines.addLast(line);
        if (lines.size() > LAST_LINES) {
            lines.removeFirst();
        }
    }

    /** Why the file ends before what was printed does; null when it holds everything. */
    synchronized @Nullable IOException failure() {
        return failure;
    }

    /** The end of what the rank printed; -1 stands for the process that starts the ranks. */
    synchronized List<String> lastLines(int rank) {
        return List.copyOf(last.getOrDefault(rank, new ArrayDeque<>()));
    }

    @Override
    public synchronized void close() throws IOException {
        file.close();
    }

    /** One process's output. Without a prefix it goes on at once, with one as soon as a line is whole. */
    private final class Lines {
        private final int rank;
        private final String prefix;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();
        private final CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
        /** The beginning of a character whose other bytes are still to come. */
        private byte[] begun = new byte[0];

        Lines(int rank, String prefix) {
            this.rank = rank;
            this.prefix = prefix;
        }

        void add(byte[] bytes, int count) {
            if (prefix.isEmpty()) {
                write(bytes, count, text(bytes, count));
            }
            for (int i = 0; i < count; i++) {
                if (bytes[i] == '\n' || isFullBefore(bytes[i])) {
                    end(bytes[i] != '\n');
                    if (bytes[i] == '\n') {
                        continue;
                    }
                }
                line.write(bytes[i]);
            }
        }

        /** Whether the line is as long as lines may be; no character is cut. */
        private boolean isFullBefore(byte next) {
            boolean within = (next & 0xC0) == 0x80 && line.size() < LONGEST_LINE + LONGEST_CHARACTER - 1;
            return line.size() >= LONGEST_LINE && !within;
        }

        /** The characters that are whole by now; a piece may end within one. */
        private String text(byte[] bytes, int count) {
            ByteBuffer in = ByteBuffer.allocate(begun.length + count)
                    .put(begun)
                    .put(bytes, 0, count)
                    .flip();
            CharBuffer out = CharBuffer.allocate(in.remaining());
            decoder.decode(in, out, false);
            begun = new byte[in.remaining()];
            in.get(begun);
            return out.flip().toString();
        }

        void end() {
            if (line.size() > 0) {
                end(true);
            }
        }

        private void end(boolean unfinished) {
            String text = prefix + line.toString(StandardCharsets.UTF_8);
            remember(rank, text.stripTrailing());
            if (!prefix.isEmpty()) {
                byte[] whole = (text + "\n").getBytes(StandardCharsets.UTF_8);
                write(whole, whole.length, text + "\n");
            } else if (unfinished && line.size() < LONGEST_LINE) {
                write(new byte[] {'\n'}, 1, "\n");
            }
            line.reset();
        }
    }
}
