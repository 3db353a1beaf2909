/** Has the browser save a text that was made here. */
export function saveText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Browsers begin to read it after this task.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
