/**
 * The algorithm's version. Raise it with every change that can alter a result: read models of another version are
 * computed again in the background.
 */
export const algorithmVersion = 22;
