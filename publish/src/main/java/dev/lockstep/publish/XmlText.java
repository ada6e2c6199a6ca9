// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

/** Text as XML spells it, of characters that XML allows. */
final class XmlText {
    static final String DECLARATION = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";

    private XmlText() {}

    /** As the content of an element. */
    static void content(String text, StringBuilder xml) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> xml.append("&amp;");
                case '<' -> xml.append("&lt;");
                case '>' -> xml.append("&gt;");
                case '\r' -> xml.append("&#13;"); // as it is, a parser takes it for the end of a line
                default -> xml.append(c);
            }
        }
    }

    static String content(String text) {
        StringBuilder xml = new StringBuilder(text.length() + 16);
        content(text, xml);
        return xml.toString();
    }

    /** As the value of an attribute between double quotes. */
    static String attribute(String text) {
        return content(text).replace("\"", "&quot;").replace("\t", "&#9;").replace("\n", "&#10;");
    }
}
