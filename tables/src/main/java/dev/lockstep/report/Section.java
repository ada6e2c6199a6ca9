// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** A part of a report. */
public sealed interface Section {
    /**
     * A table; every writer shows it.
     *
     * @param table the table
     * @param placing tells where on the timeline each row lies, by row, for writers that show it; empty where rows have no place
     */
    record TableSection(Table table, Supplier<List<Evidence>> placing) implements Section {
        /**
         * A table whose rows have no place in time.
         *
         * @param table the table
         */
        public TableSection(Table table) {
            this(table, List::of);
        }

        /** {@return where on the timeline each row lies, by row, found anew; empty where rows have no place} */
        public List<Evidence> places() {
            return placing.get();
        }
    }

    /**
     * A picture; shown by writers that can draw, and made by them.
     *
     * @param drawing makes the picture, the same each time
     * @param onPagesOnly whether it takes long to make and only pages can show it
     */
    record ChartSection(Supplier<Chart> drawing, boolean onPagesOnly) implements Section {
        /**
         * A picture that is there.
         *
         * @param chart the picture
         */
        public ChartSection(Chart chart) {
            this(() -> chart, false);
        }

        /**
         * A picture that every writer may ask for.
         *
         * @param drawing makes the picture, the same each time
         */
        public ChartSection(Supplier<Chart> drawing) {
            this(drawing, false);
        }

        /** {@return the picture, made anew} */
        public Chart chart() {
            return drawing.get();
        }
    }

    /**
     * What is said first: what bounds the trace, and what to do about it.
     *
     * @param answer the answer
     * @param restsOn where one of these is withheld, nothing is answered
     */
    record AnswerSection(Answer answer, Set<Topic> restsOn) implements Section {
        /** Copies the set. */
        public AnswerSection {
            restsOn = Set.copyOf(restsOn);
        }

        /**
         * The answer for one rank.
         *
         * @param answer the answer
         */
        public AnswerSection(Answer answer) {
            this(answer, RestsOn.ANSWER);
        }
    }

    /**
     * Findings in words.
     *
     * @param title shown above the findings
     * @param findings the most important first
     */
    record FindingsSection(String title, List<Finding> findings) implements Section {
        /** Copies the findings. */
        public FindingsSection {
            findings = List.copyOf(findings);
        }
    }

    /**
     * Facts about the input: label and value.
     *
     * @param title shown above the facts
     * @param facts from top to bottom
     */
    record FactsSection(String title, List<Fact> facts) implements Section {
        /** Copies the facts. */
        public FactsSection {
            facts = List.copyOf(facts);
        }
    }

    /**
     * One fact.
     *
     * @param label what it is
     * @param value as a person reads it
     * @param doc what it means; may be empty
     * @param number the same as a number for programs, in the unit; NaN for what is no number
     * @param unit of the number
     */
    record Fact(String label, String value, String doc, double number, Unit unit) {
        /**
         * A fact that is no number.
         *
         * @param label what it is
         * @param value as a person reads it
         * @param doc what it means; may be empty
         */
        public Fact(String label, String value, String doc) {
            this(label, value, doc, Double.NaN, Unit.NONE);
        }
    }

    /**
     * Files that belong to the report; shown by writers of pages.
     *
     * @param title shown above the links
     * @param links from top to bottom
     */
    record LinksSection(String title, List<Link> links) implements Section {
        /** Copies the links. */
        public LinksSection {
            links = List.copyOf(links);
        }
    }

    /**
     * One file.
     *
     * @param label what it is called
     * @param target where it lies, seen from the page, with slashes
     * @param doc what it holds; may be empty
     */
    record Link(String label, String target, String doc) {}

    /**
     * What is asked for but cannot be shown, with the reason.
     *
     * @param name stable word for the sheet or analysis
     * @param reason why it cannot be shown, for people
     */
    record NotApplicable(String name, String reason) implements Section {}
}
