// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import com.fasterxml.aalto.stax.InputFactoryImpl;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Predicate;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * One XML part of a workbook, from its first element to its last; elements are known by their names without prefix. Entities
 * are not declared in workbooks: a part that declares any is refused. Confined to one thread.
 */
final class WorkbookXml implements Closeable {
    /** No more than the longest cell with every character escaped. */
    private static final int LONGEST_TEXT = 7 * SheetText.LONGEST_CELL;

    private static final int DEEPEST = 100;

    private final InputStream in;
    private final XMLStreamReader xml;
    private int depth;

    WorkbookXml(InputStream in) throws IOException {
        this.in = in;
        XMLInputFactory factory = new InputFactoryImpl();
        factory.setProperty(XMLInputFactory.IS_COALESCING, false);
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        try {
            xml = factory.createXMLStreamReader(in);
        } catch (XMLStreamException e) {
            throw new IOException(words(e), e);
        }
    }

    /** Goes to the next element with one of these names; false where the part ends before. */
    boolean next(Predicate<String> wanted) throws IOException {
        for (int event = step(); event != XMLStreamConstants.END_DOCUMENT; event = step()) {
            if (event == XMLStreamConstants.START_ELEMENT && wanted.test(xml.getLocalName())) {
                return true;
            }
        }
        return false;
    }

    /** Goes to the next element inside of the one that began at a depth; false behind its end. */
    boolean nextWithin(int outer) throws IOException {
        for (int event = step(); event != XMLStreamConstants.END_DOCUMENT; event = step()) {
            if (event == XMLStreamConstants.START_ELEMENT) {
                return true;
            }
            if (event == XMLStreamConstants.END_ELEMENT && depth < outer) {
                return false;
            }
        }
        return false;
    }

    /** How deep the element at hand lies; the outermost at 1. */
    int depth() {
        return depth;
    }

    String name() {
        return xml.getLocalName();
    }

    /** An attribute by its name without prefix. */
    @Nullable
    String attribute(String name) {
        for (int i = 0; i < xml.getAttributeCount(); i++) {
            if (xml.getAttributeLocalName(i).equals(name)) {
                return xml.getAttributeValue(i);
            }
        }
        return null;
    }

    /** Adds the characters directly inside of the element at hand, to its end. */
    void text(StringBuilder text) throws IOException {
        int outer = depth;
        for (int event = step(); depth >= outer; event = step()) {
            if (depth == outer && (event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.CDATA)) {
                String part = characters();
                if (text.length() + part.length() > LONGEST_TEXT) {
                    throw new IOException(
                            "a text is longer than the " + SheetText.LONGEST_CELL + " characters of a cell");
                }
                text.append(part);
            } else if (event == XMLStreamConstants.END_DOCUMENT) {
                break;
            }
        }
    }

    /** The parser looks at them here. */
    private String characters() throws IOException {
        try {
            return xml.getText();
        } catch (RuntimeException e) {
            throw new IOException("it is no sound XML: " + words(e), e);
        }
    }

    private int step() throws IOException {
        try {
            int event = xml.next();
            if (event == XMLStreamConstants.START_ELEMENT && ++depth > DEEPEST) {
                throw new IOException("elements are more than " + DEEPEST + " levels deep");
            } else if (event == XMLStreamConstants.END_ELEMENT) {
                depth--;
            } else if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
                throw new IOException("it declares or names entities, which workbooks do not have");
            }
            return event;
        } catch (XMLStreamException e) {
            throw new IOException(words(e), e);
        } catch (RuntimeException e) { // of the library, on damaged text
            throw new IOException("it is no sound XML: " + words(e), e);
        }
    }

    /** What the parser says, without the names of its classes and of no source. */
    private static String words(Exception cause) {
        String message = String.valueOf(cause.getMessage());
        return message.replaceFirst("^(?:[a-z]\\w*+\\.)++\\w+: ", "").replaceAll("(?s)\\s++at \\[row.*", "");
    }

    @Override
    public void close() throws IOException {
        try {
            xml.close();
        } catch (XMLStreamException e) {
            throw new IOException(e);
        } finally {
            in.close();
        }
    }
}
