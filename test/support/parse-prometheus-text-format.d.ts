// The types of a parser that has none of its own.
declare module 'parse-prometheus-text-format' {
  /** Reads a page in the text format of Prometheus. */
  export default function parse(text: string): unknown
}
