/** Account and card numbers as a report shows them: enough to tell one from another, too little to use. */

/** "DK50 0040 0440 1162 43" → "DK•• •••• 6243": the country and the last four characters. */
export function maskIban(iban: string): string {
  const plain = iban.replace(/\s+/g, "");
  return `${plain.slice(0, 2)}•• •••• ${plain.slice(-4)}`;
}

/** "•••• 1234"; of a bank's own account or card number the last four characters. */
export function maskNumber(number: string): string {
  return `•••• ${number.replace(/\s+|^[*•xX.-]+/g, "").slice(-4)}`;
}
