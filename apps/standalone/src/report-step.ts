/** Says at the terminal what a start is busy with. */
export function reportStep(step: string): void {
  process.stdout.write(`weir: ${step}\n`);
}
