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
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes files such that every failure names the file and says what was expected: {@link TraceFormatException} for
 * those that are read, {@link FileSystemException} for those that are written. The system names them only when it opens
 * them. Text is UTF-8, strictly when it is read.
 */
public final class NamedFiles {
    /** Bytes that a file of settings may have. */
    public static final int MOST_SETTINGS = 1 << 20;

    private static final int BUFFER = 1 << 13;

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
        return reading(name, () -> {
            demandFile(name, file);
            return new Reading(name, Files.newInputStream(file));
        });
    }

    /**
     * The whole content of a file.
     *
     * @param file the file
     * @return all of its bytes
     * @throws IOException when it cannot be read; the message names the file and what is wrong with it
     */
    public static byte[] bytes(Path file) throws IOException {
        return reading(file.toString(), () -> {
            demandFile(file.toString(), file);
            return Files.readAllBytes(file);
        });
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
            return text(file, bytes);
        }
    }

    private static String text(Path file, byte[] bytes) throws IOException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw notText(file);
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

    private static void demandFile(String name, Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw unreadable(name, "this is a directory, expected a file");
        }
    }

    private static <T> T reading(String name, Step<T> step) throws IOException {
        try {
            return step.take();
        } catch (TraceFormatException e) {
            throw e;
        } catch (NoSuchFileException e) {
            throw new TraceFormatException(
                    ErrorCode.INPUT_NOT_FOUND, name, -1, "there is no such file", hintOnAddress(name));
        } catch (AccessDeniedException e) {
            throw unreadable(name, "the file may not be read");
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

    /** The same failure with the file's name. */
    private static IOException named(String name, IOException failure) {
        if (failure instanceof TraceFormatException || failure instanceof FileSystemException) {
            return failure;
        }
        IOException named = new FileSystemException(name, null, failure.getMessage());
        named.initCause(failure);
        return named;
    }

    private static @Nullable String hintOnAddress(String name) {
        return ADDRESS.matcher(name).lookingAt()
                ? "An address is no file: copy it here. Only fleets on Spark are read from object stores."
                : null;
    }

    private static TraceFormatException unreadable(String name, String problem) {
        return new TraceFormatException(ErrorCode.INPUT_NOT_FOUND, name, -1, problem, null);
    }

    /** Says where the first byte is that is no text. */
    private static TraceFormatException notText(Path file) throws IOException {
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
        return new TraceFormatException(
                ErrorCode.FORMAT_CORRUPT,
                file.toString(),
                before,
                "expected text in UTF-8",
                "Convert it, as in: iconv -f latin1 -t utf8");
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
