// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A browser without a window that a test drives, by the protocol of its developer tools. Confined to one thread. */
public final class DrivenBrowser implements AutoCloseable {
    private static final int SECONDS = 60;
    private static final int PAUSE = 20; // ms, until it is looked again
    private static final int TURNS = SECONDS * 1000 / PAUSE;
    private static final Pattern SOCKET = Pattern.compile("\"webSocketDebuggerUrl\":\\s*\"(ws://[^\"]+/page/[^\"]+)\"");
    private static final String VALUE = "\"value\":\"";

    private static final Pattern REQUEST = Pattern.compile("\"request\":\\{\"url\":\"([^\"]*)\"");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|(.))");

    private static final String CARRIED = """
        (async () => {
          const text = document.getElementById('data')?.textContent || '{}';
          window.carried = JSON.parse(text.startsWith('{') ? text : new TextDecoder().decode(await inflated(text)));
        })()\
        """;

    private final Path folder;
    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final List<String> troubles = new ArrayList<>();
    private final List<String> requests = new ArrayList<>();
    private int asked;

    /** Starts it. Where there is no browser the test ends as {@link Browser#program} says. */
    public DrivenBrowser() throws Exception {
        folder = Files.createTempDirectory("lockstep-browser");
        Path profile = folder.resolve("profile");
        process = new ProcessBuilder(List.of(
                        Browser.program(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--no-first-run",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("browser.log").toFile())
                .start();
        Path port = profile.resolve("DevToolsActivePort");
        for (int i = 0; i < TURNS && !(Files.exists(port) && Files.size(port) > 0); i++) {
            Thread.sleep(PAUSE);
        }
        String list = client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                        + Files.readAllLines(port).getFirst() + "/json/list"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        Matcher found = SOCKET.matcher(list);
        if (!found.find()) {
            throw new IOException("the browser shows no page: " + list);
        }
        socket = client.newWebSocketBuilder()
                .buildAsync(URI.create(found.group(1)), new Listener())
                .join();
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            call(domain + ".enable", "{}");
        }
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                answers.add(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }
    }

    private String call(String method, String parameters) throws InterruptedException {
        int id = ++asked;
        socket.sendText("{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + parameters + "}", true)
                .join();
        while (true) {
            String answer = answers.poll(SECONDS, TimeUnit.SECONDS);
            if (answer == null) {
                throw new IllegalStateException(method + ": no answer");
            }
            if (answer.startsWith("{\"id\":" + id + ",")) {
                return answer;
            }
            note(answer);
        }
    }

    private void note(String event) {
        if (event.startsWith("{\"method\":\"Runtime.exceptionThrown\"")
                || event.startsWith("{\"method\":\"Log.entryAdded\"")
                || event.startsWith("{\"method\":\"Runtime.consoleAPICalled\"")) {
            troubles.add(event);
        }
        Matcher request = REQUEST.matcher(event);
        if (event.startsWith("{\"method\":\"Network.requestWillBeSent\"") && request.find()) {
            requests.add(request.group(1));
        }
    }

    /** What pages complained of since the last page was opened: errors, what the policy forbade, anything on the console. */
    public List<String> troubles() {
        return List.copyOf(troubles);
    }

    /** What was asked for since the last page was opened, the page first. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    /** What pages that are opened from now on run first, until they are told otherwise; returns the name to end it by. */
    public String runFirst(String script) throws InterruptedException {
        Matcher name = Pattern.compile("\"identifier\":\"([^\"]*)\"")
                .matcher(call("Page.addScriptToEvaluateOnNewDocument", "{\"source\":\"" + script + "\"}"));
        if (!name.find()) {
            throw new IllegalStateException("the browser does not run " + script);
        }
        return name.group(1);
    }

    /** What was to be run first is not run any longer. */
    public void runNoMore(String name) throws InterruptedException {
        call("Page.removeScriptToEvaluateOnNewDocument", "{\"identifier\":\"" + name + "\"}");
    }

    /** Opens a page and waits until all of it is there, its timeline too. No way leads back to pages before it. */
    public void open(String address) throws InterruptedException {
        call("Page.navigate", "{\"url\":\"about:blank\"}");
        call("Page.resetNavigationHistory", "{}");
        troubles.clear();
        requests.clear();
        call("Page.navigate", "{\"url\":\"" + address + "\"}");
        await();
    }

    /** Waits until a page is there; {@code carried} is then the data it carries, where it carries some. */
    public void await() throws InterruptedException {
        for (int i = 0; i < TURNS; i++) {
            Thread.sleep(PAUSE);
            if (!evaluate("document.documentElement?.dataset.error || (document.documentElement?.dataset.ready &&"
                            + " document.readyState === 'complete' && (!document.getElementById('dock') || document.querySelector('#dock"
                            + " [data-loaded]')) ? 'there' : '')")
                    .isEmpty()) {
                evaluate(CARRIED);
                return;
            }
        }
        throw new IllegalStateException("the page is not ready");
    }

    /** The size of the window, in pixels. */
    public void resize(int width, int height) throws InterruptedException {
        call(
                "Emulation.setDeviceMetricsOverride",
                "{\"width\":" + width + ",\"height\":" + height + ",\"deviceScaleFactor\":1,\"mobile\":false}");
    }

    /** Whether pages are shown in dark colours, and whether as on paper. */
    public void show(boolean dark, boolean onPaper) throws InterruptedException {
        call(
                "Emulation.setEmulatedMedia",
                "{\"media\":\"" + (onPaper ? "print" : "")
                        + "\",\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"" + (dark ? "dark" : "light")
                        + "\"}]}");
        // Pages are told of the change before the next frame.
        evaluate("new Promise((done) => { const look = () => requestAnimationFrame(matchMedia('(prefers-color-scheme:"
                + " dark)').matches === " + dark + " ? done : look); look(); })");
        settle();
    }

    /** The page as PDF, with an outline of its headings. */
    public byte[] printed() throws InterruptedException {
        Matcher data = Pattern.compile("\"data\":\"([^\"]*)\"")
                .matcher(call("Page.printToPDF", "{\"printBackground\":true,\"generateDocumentOutline\":true}"));
        if (!data.find()) {
            throw new IllegalStateException("the page was not printed");
        }
        return Base64.getDecoder().decode(data.group(1));
    }

    /** What the window shows, as PNG. */
    public byte[] picture() throws InterruptedException {
        Matcher data = Pattern.compile("\"data\":\"([^\"]*)\"")
                .matcher(call("Page.captureScreenshot", "{\"format\":\"png\"}"));
        if (!data.find()) {
            throw new IllegalStateException("there is no picture of the page");
        }
        return Base64.getDecoder().decode(data.group(1));
    }

    /** Moves the pointer to a place of the window. */
    public void point(long x, long y) throws InterruptedException {
        call("Input.dispatchMouseEvent", "{\"type\":\"mouseMoved\",\"x\":" + x + ",\"y\":" + y + "}");
    }

    /** Goes back to where one was before. */
    public void back() throws InterruptedException {
        evaluate("history.back()");
        settle();
    }

    /** What an expression of JavaScript comes to, as text; promises are waited for. What it does counts as done by a person. */
    public String evaluate(String expression) throws InterruptedException {
        String text = "(async () => String(await (" + expression + ")))()";
        String answer = call(
                "Runtime.evaluate",
                "{\"awaitPromise\":true,\"returnByValue\":true,\"userGesture\":true,\"expression\":\""
                        + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"}");
        int value = answer.indexOf(VALUE);
        if (answer.contains("\"exceptionDetails\"") || value < 0) {
            throw new IllegalStateException(expression + ": " + answer);
        }
        return unescaped(answer, value + VALUE.length());
    }

    /** A text in JSON that begins here, however long it is. */
    private static String unescaped(String json, int from) {
        int end = from;
        while (json.charAt(end) != '"') {
            end += json.charAt(end) == '\\' ? 2 : 1;
        }
        return ESCAPE.matcher(json.substring(from, end))
                .replaceAll(found -> Matcher.quoteReplacement(
                        found.group(1) != null
                                ? Character.toString((char) Integer.parseInt(found.group(1), 16))
                                : plain(found.group(2))));
    }

    private static String plain(String escaped) {
        return switch (escaped) {
            case "n" -> "\n";
            case "t" -> "\t";
            case "r" -> "\r";
            case "b" -> "\b";
            case "f" -> "\f";
            default -> escaped;
        };
    }

    /** Presses keys on what has the focus, one after the other, and waits until that is drawn. */
    public void press(String... keys) throws InterruptedException {
        for (String key : keys) {
            evaluate("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: '" + key
                    + "', bubbles: true, cancelable: true}))");
            settle();
        }
    }

    /** Presses the tabulator as a keyboard does, so that the focus moves on. */
    public void tab() throws InterruptedException {
        for (String type : List.of("keyDown", "keyUp")) {
            call(
                    "Input.dispatchKeyEvent",
                    "{\"type\":\"" + type + "\",\"key\":\"Tab\",\"code\":\"Tab\",\"windowsVirtualKeyCode\":9}");
        }
    }

    /** Clicks on the first element that a selector finds, and waits until that is drawn. */
    public void click(String selector) throws InterruptedException {
        evaluate("document.querySelector('" + selector + "').click()");
        settle();
    }

    /** Waits until what was asked for is drawn. */
    public void settle() throws InterruptedException {
        evaluate("new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done, 20)), 60))");
    }

    /** What a process does last with a browser that all its tests share. */
    void end() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            Browser.remove(folder);
        } catch (IOException | IllegalStateException e) {
            // the folder stays until the system cleans up
        }
    }

    @Override
    public void close() throws IOException {
        socket.abort();
        client.shutdownNow();
        process.destroyForcibly();
        Browser.remove(folder);
    }
}
