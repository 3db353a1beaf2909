// This library opens buckets of stores that speak S3: the client, its timeouts, how objects are encrypted.
export { createS3Client, describeEncryption, type S3Bucket } from './s3-bucket';
