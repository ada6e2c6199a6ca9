// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.page;

import java.util.List;

/**
 * A page, as data. Text is plain; the writer escapes it.
 *
 * @param title heading and name of the window
 * @param lead what the page is, below the title; may be empty
 */
public record Page(String title, String lead, List<Section> sections) {
    public Page {
        sections = List.copyOf(sections);
    }

    /** Items under a heading. */
    public record Section(String title, List<PageItem> items) {
        public Section {
            items = List.copyOf(items);
        }
    }
}
