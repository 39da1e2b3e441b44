// Formats a table for the terminal, with columns as wide as their longest cell.

/** Formats a header and rows as aligned lines; widths are those of the text before styling. */
export function formatAlignedTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  style: (text: string, column: number, isHeader: boolean) => string = (text) => text,
): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const formatLine = (cells: readonly string[], isHeader: boolean): string =>
    cells
      .map((cell, i) => padCell(cell, i === cells.length - 1 ? 0 : (widths[i] ?? 0), style(cell, i, isHeader)))
      .join('  ')
  return `${[formatLine(header, true), ...rows.map((row) => formatLine(row, false))].join('\n')}\n`
}

const padCell = (text: string, width: number, styled: string): string =>
  styled + ' '.repeat(Math.max(0, width - text.length))
