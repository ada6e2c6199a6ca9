// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

/** Says why the work of a call is not known. Carries no stack trace: it is an answer, not a failure of the program. */
public final class NotModelled extends Exception {
    private static final long serialVersionUID = 1;

    /** What becomes of the call in lists of calls. */
    public enum Kind {
        /** The arguments are missing or not as expected: the call is listed without figures. */
        UNREADABLE,
        /** Nothing can be said about this direction of the operator, whatever its arguments: the call is not listed. */
        NOT_IMPLEMENTED
    }

    private final Kind kind;

    private NotModelled(Kind kind, String reason) {
        super(reason, null, false, false);
        this.kind = kind;
    }

    /** The arguments are missing or not as expected. */
    public static NotModelled unreadable(String reason) {
        return new NotModelled(Kind.UNREADABLE, reason);
    }

    /** There are no formulas for this direction of the operator. */
    public static NotModelled notImplemented(String reason) {
        return new NotModelled(Kind.NOT_IMPLEMENTED, reason);
    }

    public Kind kind() {
        return kind;
    }

    /** What is missing, in words. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
