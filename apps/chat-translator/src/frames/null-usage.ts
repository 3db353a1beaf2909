/** Cannot stand inside a JSON string, whose quotes are escaped. */
export const NULL_USAGE = ',"usage":null';
