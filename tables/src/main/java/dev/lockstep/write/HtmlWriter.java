// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.report.Report;
import dev.lockstep.report.Tone;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One page that holds everything: style, script and data. It needs no network and can be mailed.
 *
 * <p>The sources are {@code report.html}, {@code report.css}, {@code inflate.js}, {@code charts.js}, {@code timeline.js} and {@code report.js} beside this class. The template's
 * {@code {{marks}}} are filled in; names reach the page as data only and are shown by {@code textContent}. The page's own
 * policy forbids every script and style but these two, by their hashes, and every request.
 */
public final class HtmlWriter implements ReportWriter {
    private static final long MEGABYTE = 1_000_000;

    /**
     * How a page is made.
     *
     * @param bytes about how large it may become: beyond, timelines are summed in buckets
     * @param served whether it may ask whoever serves it for more
     */
    record Manner(long bytes, boolean served) {
        /** A page of eight megabytes that asks for nothing. */
        static final Manner USUAL = new Manner(8 * MEGABYTE, false);

        /** A page that is asked for quickly, and asks for more itself. */
        static final Manner SERVED = new Manner(3 * MEGABYTE, true);
    }

    private final Manner manner;

    /** Writes pages of eight megabytes at most, as far as timelines decide that. */
    public HtmlWriter() {
        this(Manner.USUAL);
    }

    /**
     * Writes pages of another size.
     *
     * @param megabytes about how large a page may become, in millions of bytes; beyond, timelines are summed in buckets
     */
    public HtmlWriter(int megabytes) {
        this(new Manner(megabytes * MEGABYTE, false));
    }

    private HtmlWriter(Manner manner) {
        this.manner = manner;
    }

    /** A page for {@link ServedPage}. */
    static byte[] served(Report report) throws IOException {
        ByteArrayOutputStream page = new ByteArrayOutputStream(1 << 20);
        new HtmlWriter(Manner.SERVED).write(report, page);
        return page.toByteArray();
    }

    @Override
    public String id() {
        return "html";
    }

    @Override
    public String help() {
        return "Write one self-contained page.";
    }

    @Override
    public String ending() {
        return ".html";
    }

    @Override
    public boolean isStandard() {
        return true;
    }

    @Override
    public void write(Report report, Path target, CellStyle style) throws IOException {
        try (OutputStream out = new BufferedOutputStream(NamedFiles.out(target), 1 << 16)) {
            write(report, out);
        }
    }

    private void write(Report report, OutputStream out) throws IOException {
        String policy = Shipped.POLICY + (manner.served ? "; connect-src 'self'" : "");
        for (String part : Shipped.TEMPLATE) {
            switch (part) {
                case "{{policy}}" -> put(policy, out);
                case "{{title}}" -> put(escaped(Unicode.wellFormed(report.title())), out);
                case "{{style}}" -> put(Shipped.STYLE, out);
                case "{{script}}" -> put(Shipped.SCRIPT, out);
                case "{{data}}" -> HtmlData.write(report, manner, out);
                default -> put(part, out);
            }
        }
    }

    /** What is the same in all pages, read once. */
    private static final class Shipped {
        static final String STYLE = resource("report.css");
        static final String SCRIPT = resource("inflate.js")
                + resource("charts.js")
                + resource("timeline.js")
                + resource("report.js").replace("[/* Tone.MEANINGS */]", meanings());
        static final String POLICY = PagePolicy.of(STYLE, SCRIPT);
        static final List<String> TEMPLATE = List.of(resource("report.html").split("(?=\\{\\{)|(?<=\\}\\})", -1));
    }

    /** What names mean, as JavaScript. */
    static String meanings() {
        return Tone.MEANINGS.stream()
                .map(meaning -> "    [/" + meaning.pattern().pattern() + "/, '"
                        + meaning.tone().variable() + "'],\n")
                .collect(Collectors.joining("", "[\n", "  ]"));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static void put(String text, OutputStream out) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String resource(String name) {
        try (@Nullable InputStream in = HtmlWriter.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
