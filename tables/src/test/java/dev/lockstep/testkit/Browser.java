// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Opens pages in a real browser, Debian's {@code chromium} or another of its family on the path, without a window. */
public final class Browser {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome", "chrome");

    private Browser() {}

    /**
     * The document after its script ran, as HTML. Where there is no browser the test is aborted with a message, or fails
     * with it when the environment says that this is continuous integration ({@code CI} is set).
     */
    public static String open(Path page) throws IOException, InterruptedException {
        return open(page, "");
    }

    /** The document as a link with a fragment, {@code #table/x} for instance, shows it, when all it waits for is there. */
    public static String open(Path page, String fragment) throws IOException, InterruptedException {
        return open(page.toUri().toString(), fragment);
    }

    /** As above, of a page that is served. */
    public static String open(String address, String fragment) throws IOException, InterruptedException {
        program(); // ends the test where there is none
        DrivenBrowser browser = Shared.BROWSER;
        browser.open(address + fragment);
        String html = browser.evaluate("document.documentElement.outerHTML");
        // What the page carries is not what it shows.
        return html.replaceAll("(?s)<script.*?</script>", "");
    }

    /** One for all pages that are opened here; it ends with this process. */
    private static final class Shared {
        static final DrivenBrowser BROWSER = start();

        private static DrivenBrowser start() {
            try {
                DrivenBrowser browser = new DrivenBrowser();
                Runtime.getRuntime().addShutdownHook(new Thread(browser::end));
                return browser;
            } catch (Exception e) {
                throw new IllegalStateException("the browser does not start", e);
            }
        }
    }

    /** Removes a folder; what a process that is ending still holds stays until the system cleans up. */
    public static void remove(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(folder)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        } catch (UncheckedIOException e) {
            return;
        }
        for (Path path : all) {
            if (!path.toFile().delete()) {
                path.toFile().deleteOnExit();
            }
        }
    }

    /** The program; where there is none, the test ends as {@link #open(Path)} says. */
    public static String program() {
        String path = System.getenv().getOrDefault("PATH", "");
        for (String folder : path.split(File.pathSeparator, -1)) {
            for (String name : NAMES) {
                Path candidate = Path.of(folder, name);
                if (Files.isExecutable(candidate)) {
                    return candidate.toString();
                }
            }
        }
        String message = "no browser on the path: pages were not opened (apt-get install chromium)";
        return System.getenv("CI") == null ? abort(message) : fail(message);
    }
}
