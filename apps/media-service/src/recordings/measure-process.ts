// Runs as a process of its own: measures each recording that it is sent, and sends its length back. Ends with the process that
// started it.
import { measureSeconds } from '@weir/recordings';

process.on('disconnect', () => process.exit());
process.on('message', (file: Uint8Array) => {
  void measureSeconds(file).then((seconds) => process.send?.({ seconds }));
});
