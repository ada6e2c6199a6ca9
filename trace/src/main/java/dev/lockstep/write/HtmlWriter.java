// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.report.Report;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * One page that holds everything: style, script and data. It needs no network and can be mailed.
 *
 * <p>The sources are {@code report.html}, {@code report.css}, {@code charts.js}, {@code timeline.js} and {@code report.js} beside this class. The template's
 * {@code {{marks}}} are filled in; names reach the page as data only and are shown by {@code textContent}. The page's own
 * policy forbids every script and style but these two, by their hashes, and every request.
 */
public final class HtmlWriter implements ReportWriter {
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
        String css = resource("report.css");
        String script = resource("charts.js") + resource("timeline.js") + resource("report.js");
        String policy = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + hash(css)
                + "; script-src " + hash(script);
        String[] template = resource("report.html").split("(?=\\{\\{)|(?<=\\}\\})", -1);
        try (OutputStream out = new BufferedOutputStream(NamedFiles.out(target), 1 << 16)) {
            for (String part : template) {
                switch (part) {
                    case "{{policy}}" -> put(policy, out);
                    case "{{title}}" -> put(escaped(Unicode.wellFormed(report.title())), out);
                    case "{{style}}" -> put(css, out);
                    case "{{script}}" -> put(script, out);
                    case "{{data}}" -> HtmlData.write(report, out);
                    default -> put(part, out);
                }
            }
        }
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static void put(String text, OutputStream out) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String hash(String source) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(source.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static String resource(String name) throws IOException {
        try (@Nullable InputStream in = HtmlWriter.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
