// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.reporting.PerformanceReport;
import dev.lockstep.session.Session;
import dev.lockstep.write.ServedPage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves a page and the parts of its timeline to browsers on this machine that know the address, in which stands a secret
 * of 128 bits. No other page may read the answers, and nothing but GET is answered.
 */
final class PageServer implements AutoCloseable {
    private static final int SECRET = 16;
    private static final Pattern TILE = Pattern.compile("row=(\\d{1,6})&from=(\\d{1,18})&to=(\\d{1,18})");

    private final ServedPage page;
    private final String path;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** @param port on which to serve, 0 for any that is free */
    PageServer(ServedPage page, int port) throws IOException {
        this.page = page;
        byte[] secret = new byte[SECRET];
        new SecureRandom().nextBytes(secret);
        path = "/" + HexFormat.of().formatHex(secret) + "/";
        server = TraceServer.onLoopback(port);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    /** The page of a trace, with every slice of its timeline. */
    static ServedPage pageOf(Path file, GlobalOptions global) throws IOException {
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            Trace trace = Inputs.readOne(session, TraceInput.of(file), global, progress);
            progress.step("analysing");
            return new ServedPage(PerformanceReport.of(trace, ReportOptions.standard()));
        }
    }

    /** Where the page is. */
    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Headers headers = exchange.getResponseHeaders();
            headers.set("Cache-Control", "no-store");
            headers.set("X-Content-Type-Options", "nosniff");
            headers.set("Referrer-Policy", "no-referrer");
            headers.set("Cross-Origin-Resource-Policy", "same-origin");
            String asked = exchange.getRequestURI().getRawPath();
            if (!TraceServer.isForThisMachine(exchange, server) || !knowsTheSecret(asked)) {
                exchange.sendResponseHeaders(403, -1);
            } else if (!exchange.getRequestMethod().equals("GET")) {
                headers.set("Allow", "GET");
                exchange.sendResponseHeaders(405, -1);
            } else {
                send(exchange, asked.substring(path.length()));
            }
        }
    }

    private boolean knowsTheSecret(String asked) {
        byte[] begin =
                asked.substring(0, Math.min(path.length(), asked.length())).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(begin, path.getBytes(StandardCharsets.UTF_8));
    }

    private void send(HttpExchange exchange, String what) throws IOException {
        byte[] content = switch (what) {
            case "" -> page.page();
            case "tile" -> tile(exchange.getRequestURI().getRawQuery());
            default -> null;
        };
        if (content == null) {
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        exchange.getResponseHeaders()
                .set("Content-Type", what.isEmpty() ? "text/html; charset=utf-8" : "application/json");
        exchange.sendResponseHeaders(200, content.length);
        exchange.getResponseBody().write(content);
    }

    private byte @Nullable [] tile(@Nullable String query) throws IOException {
        Matcher asked = TILE.matcher(query == null ? "" : query);
        return asked.matches()
                ? page.tile(
                        Integer.parseInt(asked.group(1)),
                        Long.parseLong(asked.group(2)),
                        Long.parseLong(asked.group(3)))
                : null;
    }
}
