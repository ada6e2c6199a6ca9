// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Whether others can read what was written, by the endings of its names. */
final class WrittenFiles {
    /** What fuzzed texts hold as a trap for pages. */
    static final String TRAP = "</script><img src=x onerror=alert(1)>";

    /** Group 1 is half a surrogate. */
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)");

    private static final XMLInputFactory XML = XMLInputFactory.newFactory();
    private static final int PNG_END = 12;

    /** Files that are longer, made of copies of long texts, are not read. */
    private static final long LONGEST = 100_000_000;

    static {
        XML.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    }

    private WrittenFiles() {}

    /**
     * {@return what is wrong with a file, null when nothing is, or when nothing is known of such files}
     *
     * @param json what is taken for JSON
     */
    static @Nullable String problem(Path file, JsonFactory json) throws IOException {
        if (Files.size(file) > LONGEST) {
            return null;
        }
        String name = file.getFileName().toString();
        byte[] bytes = Files.readAllBytes(file);
        try {
            if (name.endsWith(".gz")) {
                try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
                    return problem(name.substring(0, name.length() - 3), in.readAllBytes(), json);
                }
            }
            return problem(name, bytes, json);
        } catch (IOException | XMLStreamException e) {
            return e.toString();
        }
    }

    private static @Nullable String problem(String name, byte[] bytes, JsonFactory json)
            throws IOException, XMLStreamException {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "json", "jsonl" -> {
                demandJson(bytes, json);
                yield null;
            }
            case "svg", "xml", "rels" -> {
                demandXml(new ByteArrayInputStream(bytes));
                yield null;
            }
            case "xlsx" -> archive(bytes, json);
            case "csv" -> lines(new String(bytes, ISO_8859_1));
            case "pftrace" -> HostileFields.isMessage(bytes) ? null : "no message";
            case "html" ->
                new String(bytes, ISO_8859_1).contains(TRAP) ? "a text of the trace is part of the page" : null;
            case "png" ->
                bytes.length > PNG_END && new String(bytes, bytes.length - 8, 4, ISO_8859_1).equals("IEND")
                        ? null
                        : "no end";
            case "parquet" ->
                bytes.length > 8
                                && Arrays.equals(
                                        Arrays.copyOf(bytes, 4),
                                        Arrays.copyOfRange(bytes, bytes.length - 4, bytes.length))
                        ? null
                        : "no end";
            default -> null;
        };
    }

    /** Reads to the end. Halves of surrogates, which JSON may hold but this parser refuses in names, are nothing here. */
    static void demandJson(byte[] bytes, JsonFactory json) throws IOException {
        try {
            read(json.createParser(bytes));
        } catch (JsonParseException e) {
            if (!e.getOriginalMessage().contains("surrogate")) {
                throw e;
            }
            String text = ESCAPE.matcher(new String(bytes, UTF_8))
                    .replaceAll(escape -> escape.group(1) == null ? Matcher.quoteReplacement(escape.group()) : "?");
            read(json.createParser(text));
        }
    }

    private static void read(JsonParser parser) throws IOException {
        try (parser) {
            while (parser.nextToken() != null) {
                parser.getText();
            }
        }
    }

    private static void demandXml(InputStream in) throws XMLStreamException {
        XMLStreamReader reader = XML.createXMLStreamReader(in);
        while (reader.hasNext()) {
            reader.next();
        }
        reader.close();
    }

    private static @Nullable String archive(byte[] bytes, JsonFactory json) throws IOException, XMLStreamException {
        int members = 0;
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(bytes))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                problem(entry.getName(), in.readAllBytes(), json);
                members++;
            }
        }
        return members == 0 ? "no archive" : null;
    }

    /**
     * All lines have as many cells as the first, between commas, or tabs where it has some; bytes stand for themselves, as none
     * of more than one has commas or quotes.
     */
    private static @Nullable String lines(String text) {
        char between = text.lines().findFirst().orElse("").contains("\t") ? '\t' : ',';
        int expected = -1;
        int cells = 1;
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' && between == ',') {
                quoted = !quoted;
            } else if (c == between && !quoted) {
                cells++;
            } else if (c == '\n' && !quoted) {
                if (expected >= 0 && cells != expected) {
                    return "a line of " + cells + " cells, not " + expected + ", before " + i;
                }
                expected = cells;
                cells = 1;
            }
        }
        return quoted ? "a quote that is not closed" : null;
    }
}
