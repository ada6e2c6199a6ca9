// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import dev.lockstep.tabular.SheetFormat;
import dev.lockstep.write.ReportWriter;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** During a test, {@link TextWorkbook} is what writes and reads workbooks, whatever else is on the class path. */
public final class TextWorkbooks implements BeforeEachCallback, AfterEachCallback {
    private static final List<String> SERVICES = List.of(
            "META-INF/services/" + ReportWriter.class.getName(), "META-INF/services/" + SheetFormat.class.getName());

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @Override
    public void beforeEach(ExtensionContext test) {
        Thread.currentThread().setContextClassLoader(new Alone(before));
    }

    @Override
    public void afterEach(ExtensionContext test) {
        Thread.currentThread().setContextClassLoader(before);
    }

    /** Knows no other provider of these services. */
    private static final class Alone extends ClassLoader {
        Alone(ClassLoader parent) {
            super(parent);
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return SERVICES.contains(name)
                    ? Collections.enumeration(
                            List.of(Objects.requireNonNull(TextWorkbook.class.getResource("text-workbook"))))
                    : super.getResources(name);
        }
    }
}
