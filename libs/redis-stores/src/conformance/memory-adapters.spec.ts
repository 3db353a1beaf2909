import { createMemoryChangeNotices } from '@weir/access';
import { createMemoryWatermarkStore } from '@weir/usage';
import { describeChangeNotices } from './change-notices.conformance';
import { describeWatermarkStore } from './watermark-store.conformance';

const watermarks = createMemoryWatermarkStore();
describeWatermarkStore('memory', () => watermarks);

const notices = createMemoryChangeNotices();
describeChangeNotices('memory', () => notices);
