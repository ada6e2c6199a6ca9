// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.error;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes files such that every failure names the file and says what was expected: {@link TraceFormatException} for
 * those that are read, {@link FileSystemException} for those that are written. The system names them only when it opens
 * them. Text is UTF-8, strictly when it is read.
 *
 * <p>A pipe is read like a file, once; one that nobody begins to write into fails after ten seconds. Of a device, which may
 * never end, no more is read than settings may have.
 */
public final class NamedFiles {
    /** Bytes that a file of settings may have. */
    public static final int MOST_SETTINGS = 1 << 20;

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int BUFFER = 1 << 13;
    private static final int TYPE_MASK = 0xF000;
    private static final int PIPE = 0x1000;

    /** How an address begins, also where it was taken for a path; a single letter is a drive. */
    private static final Pattern ADDRESS = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]+:/");

    private NamedFiles() {}

    private interface Step<T> {
        T take() throws IOException;
    }

    /**
     * The bytes of a file.
     *
     * @param file the file
     * @return the bytes from the first; the caller closes it
     * @throws IOException when it cannot be read; the message names the file and what is wrong with it
     */
    public static InputStream in(Path file) throws IOException {
        return in(file.toString(), file);
    }

    /**
     * The bytes of a file that messages call otherwise.
     *
     * @param name as the user named it
     * @param file the file
     * @return the bytes from the first; the caller closes it
     * @throws IOException when it cannot be read; the message names the file and what is wrong with it
     */
    public static InputStream in(String name, Path file) throws IOException {
        return in(name, file, PATIENCE);
    }

    static InputStream in(String name, Path file, Duration patience) throws IOException {
        return reading(name, () -> new Reading(name, opened(name, file, patience)));
    }

    /**
     * The whole content of a file.
     *
     * @param file the file
     * @return all of its bytes
     * @throws IOException when it cannot be read; the message names the file and what is wrong with it
     */
    public static byte[] bytes(Path file) throws IOException {
        try (InputStream in = in(file)) {
            return in.readAllBytes();
        }
    }

    /**
     * The whole text of a file.
     *
     * @param file the file
     * @return the text, which is UTF-8
     * @throws IOException when it cannot be read; the message names the file and what is wrong with it
     */
    public static String text(Path file) throws IOException {
        return text(file, bytes(file));
    }

    /**
     * The whole text of a file that people write by hand, and that is not read further than such files go.
     *
     * @param file the file
     * @return the text, which is UTF-8
     * @throws IOException when it cannot be read or is longer than {@link #MOST_SETTINGS} bytes; the message names the file
     */
    public static String settings(Path file) throws IOException {
        return text(file, settingsBytes(file));
    }

    /**
     * The bytes of a file that people write by hand, and that is not read further than such files go.
     *
     * @param file the file
     * @return all of its bytes
     * @throws IOException when it cannot be read or is longer than {@link #MOST_SETTINGS} bytes; the message names the file
     */
    public static byte[] settingsBytes(Path file) throws IOException {
        try (InputStream in = in(file)) {
            byte[] bytes = in.readNBytes(MOST_SETTINGS + 1);
            if (bytes.length > MOST_SETTINGS) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_CORRUPT,
                        file.toString(),
                        MOST_SETTINGS,
                        "it goes on for longer than 1 MiB, which no settings do",
                        "Is it the file that you meant?");
            }
            return bytes;
        }
    }

    /**
     * The text that bytes of a file stand for.
     *
     * @param file the file
     * @param bytes all of its bytes
     * @return the text, which is UTF-8
     * @throws TraceFormatException when it is not; the message names the file and the first byte that is no text
     */
    public static String text(Path file, byte[] bytes) throws TraceFormatException {
        ByteBuffer content = ByteBuffer.wrap(bytes);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(content).toString();
        } catch (CharacterCodingException e) {
            throw notText(file, content.position());
        }
    }

    /**
     * The lines of a file's text.
     *
     * @param file the file
     * @return the lines without their ends
     * @throws IOException when it cannot be read; the message names the file and what is wrong with it
     */
    public static List<String> lines(Path file) throws IOException {
        return text(file).lines().toList();
    }

    /**
     * The text of a file, bit by bit.
     *
     * @param file the file
     * @return the text from its beginning, which is UTF-8; the caller closes it
     * @throws IOException when it cannot be read; the message names the file and what is wrong with it
     */
    public static BufferedReader reader(Path file) throws IOException {
        return new BufferedReader(new StrictText(file, in(file)));
    }

    /**
     * A file to write, from its beginning.
     *
     * @param file the file
     * @return takes the bytes; the caller closes it
     * @throws IOException when it cannot be written; the message names the file and what is wrong with it
     */
    public static OutputStream out(Path file) throws IOException {
        return writing(file, () -> new Writing(file, Files.newOutputStream(file)));
    }

    /**
     * A file to write, behind what it holds.
     *
     * @param file the file, which exists
     * @return takes the bytes; the caller closes it
     * @throws IOException when it cannot be written; the message names the file and what is wrong with it
     */
    public static OutputStream more(Path file) throws IOException {
        return writing(file, () -> new Writing(file, Files.newOutputStream(file, StandardOpenOption.APPEND)));
    }

    /**
     * A file to write text into.
     *
     * @param file the file
     * @return takes the text and writes it as UTF-8; the caller closes it
     * @throws IOException when it cannot be written; the message names the file and what is wrong with it
     */
    public static BufferedWriter writer(Path file) throws IOException {
        return new BufferedWriter(new OutputStreamWriter(out(file), StandardCharsets.UTF_8));
    }

    /**
     * Writes a file of that text.
     *
     * @param file the file
     * @param text what it shall hold, written as UTF-8
     * @throws IOException when it cannot be written; the message names the file and what is wrong with it
     */
    public static void write(Path file, CharSequence text) throws IOException {
        write(file, text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes a file of those bytes.
     *
     * @param file the file
     * @param content what it shall hold
     * @throws IOException when it cannot be written; the message names the file and what is wrong with it
     */
    public static void write(Path file, byte[] content) throws IOException {
        writing(file, () -> Files.write(file, content));
    }

    /**
     * Demands a file that can be read more than once.
     *
     * @param name as the user named it
     * @param file the file
     * @param hint why a pipe does not do, and what to do instead
     * @throws TraceFormatException when nothing is there, a directory, a pipe or a device
     */
    public static void demandFile(String name, Path file, String hint) throws TraceFormatException {
        if (Files.isRegularFile(file)) {
            return;
        }
        throw !Files.exists(file)
                ? Files.isSymbolicLink(file) ? unreadable(name, "this link leads nowhere", null) : missing(name)
                : Files.isDirectory(file)
                        ? directory(name)
                        : unreadable(name, "this is a pipe or a device, expected a file", hint);
    }

    private static InputStream opened(String name, Path file, Duration patience) throws IOException {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        if (found.isDirectory()) {
            throw directory(name);
        }
        if (found.isRegularFile()) {
            return Files.newInputStream(file);
        }
        return isPipe(file) ? openedPipe(name, file, patience) : new Device(name, Files.newInputStream(file));
    }

    private static boolean isPipe(Path file) throws IOException {
        try {
            return ((int) Files.getAttribute(file, "unix:mode") & TYPE_MASK) == PIPE;
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Opens a pipe, which waits for somebody who writes into it, in a thread that may stay behind. */
    private static InputStream openedPipe(String name, Path file, Duration patience) throws IOException {
        FutureTask<InputStream> opening = new FutureTask<>(() -> Files.newInputStream(file));
        Thread.ofPlatform().daemon().name("opens " + name).start(opening);
        try {
            return opening.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw unreadable(
                    name,
                    "nobody writes into this pipe",
                    "Start first what writes into it, or name a file; " + patience.toSeconds() + " s were waited for.");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    private static <T> T reading(String name, Step<T> step) throws IOException {
        try {
            return step.take();
        } catch (TraceFormatException e) {
            throw e;
        } catch (NoSuchFileException e) {
            throw missing(name);
        } catch (AccessDeniedException e) {
            throw unreadable(name, "the file may not be read", null);
        } catch (IOException e) {
            throw named(name, e);
        }
    }

    private static <T> T writing(Path file, Step<T> step) throws IOException {
        try {
            return step.take();
        } catch (IOException e) {
            throw named(file.toString(), e);
        }
    }

    /**
     * A failure that says which file it is about.
     *
     * @param name as the user named the file
     * @param failure of the system, which names no file where it was open already
     * @return the same with the name
     */
    public static IOException named(String name, IOException failure) {
        if (failure instanceof TraceFormatException || failure instanceof FileSystemException) {
            return failure;
        }
        IOException named = new FileSystemException(name, null, failure.getMessage());
        named.initCause(failure);
        return named;
    }

    private static @Nullable String hintOnAddress(String name) {
        return ADDRESS.matcher(name).lookingAt() ? "Remote paths are not supported. Download the file first." : null;
    }

    private static TraceFormatException missing(String name) {
        return unreadable(name, "there is no such file", hintOnAddress(name));
    }

    private static TraceFormatException directory(String name) {
        return unreadable(name, "this is a directory, expected a file", null);
    }

    private static TraceFormatException unreadable(String name, String problem, @Nullable String hint) {
        return new TraceFormatException(ErrorCode.INPUT_NOT_FOUND, name, -1, problem, hint);
    }

    private static TraceFormatException notText(Path file, long position) {
        return new TraceFormatException(
                ErrorCode.FORMAT_CORRUPT,
                file.toString(),
                position,
                "expected text in UTF-8",
                "Convert it, as in: iconv -f latin1 -t utf8");
    }

    /** Says where the first byte is that is no text; of a pipe, which was read, it says only that there is one. */
    private static TraceFormatException notText(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return notText(file, -1);
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer bytes = ByteBuffer.allocate(BUFFER).limit(0);
        CharBuffer ignored = CharBuffer.allocate(BUFFER);
        long before = 0;
        boolean error = false;
        try (InputStream in = in(file)) {
            for (int read = 0; read >= 0 && !error; ) {
                bytes.compact();
                read = in.read(bytes.array(), bytes.position(), bytes.remaining());
                bytes.position(bytes.position() + Math.max(read, 0)).flip();
                error = decoder.decode(bytes, ignored.clear(), read < 0).isError();
                before += bytes.position();
            }
        }
        return notText(file, before);
    }

    /** Text of which every byte has a meaning. */
    private static final class StrictText extends FilterReader {
        private final Path file;

        StrictText(Path file, InputStream in) {
            super(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()));
            this.file = file;
        }

        @Override
        public int read() throws IOException {
            char[] one = new char[1];
            return read(one, 0, 1) < 0 ? -1 : one[0];
        }

        @Override
        public int read(char[] to, int from, int most) throws IOException {
            try {
                return in.read(to, from, most);
            } catch (CharacterCodingException e) {
                throw notText(file);
            }
        }
    }

    private static final class Reading extends FilterInputStream {
        private final String name;

        Reading(String name, InputStream in) {
            super(in);
            this.name = name;
        }

        @Override
        public int read() throws IOException {
            return reading(name, in::read);
        }

        @Override
        public int read(byte[] to, int from, int most) throws IOException {
            return reading(name, () -> in.read(to, from, most));
        }
    }

    /** A device, which may go on for ever. */
    private static final class Device extends FilterInputStream {
        private final String name;
        private int left = MOST_SETTINGS;

        Device(String name, InputStream in) {
            super(in);
            this.name = name;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] to, int from, int most) throws IOException {
            int read = in.read(to, from, Math.min(most, left + 1));
            left -= Math.max(read, 0);
            if (left < 0) {
                throw unreadable(name, "this is a device that does not end, expected a file", null);
            }
            return read;
        }
    }

    private static final class Writing extends FilterOutputStream {
        private final Path file;

        Writing(Path file, OutputStream out) {
            super(out);
            this.file = file;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            writing(file, () -> {
                out.write(bytes, from, count);
                return count;
            });
        }

        @Override
        public void close() throws IOException {
            writing(file, () -> {
                out.close();
                return file;
            });
        }
    }
}
