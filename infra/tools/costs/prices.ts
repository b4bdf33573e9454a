/** Dollars, as AWS publishes them for us-east-1, without any free tier. */
export const prices = {
  readUnit: 0.125e-6,
  writeUnit: 0.625e-6,
  /** A GB of the table and its indexes, per month; and a GB of the table alone in its point-in-time recovery. */
  tableGigabyte: 0.25,
  recoveryGigabyte: 0.2,
  gatewayRequest: 3.5e-6,
  wafRequest: 0.6e-6,
  lambdaRequest: 0.2e-6,
  /** arm64 */
  lambdaGigabyteSecond: 0.0000133334,
  transferredGigabyte: 0.09,
  loggedGigabyte: 0.5,
  /** A GB of compressed logs, per month. */
  logStorageGigabyte: 0.03,
  /** A GB that Firehose delivers, with each record rounded up to a multiple of 5 KB, and a GB that it decompresses. */
  deliveredGigabyte: 0.029,
  decompressedGigabyte: 0.00325,
  /** A GB that Firehose sorts into folders (dynamic partitioning), and an object in such a folder. */
  partitionedGigabyte: 0.02,
  partitionedObject: 5e-6,
  queueRequest: 0.4e-6,
  published: 0.5e-6,
  scheduled: 1e-6,
  mail: 0.1e-3,
  keyRequest: 3e-6,
  secretRequest: 5e-6,
  /** A GB of objects, per month. */
  objectGigabyte: 0.023,
  objectWrite: 5e-6,
  objectRead: 0.4e-6,
  /**
   * A GB of table backups and a GB of object backups in a vault of AWS Backup, per month; and a GB of either kind that
   * is copied to another region.
   */
  tableCopyGigabyte: 0.1,
  objectCopyGigabyte: 0.05,
  copiedGigabyte: 0.02,
  /** A GB of changes that DynamoDB exports to S3. */
  exportedGigabyte: 0.1,
  /** A data event of CloudTrail: one access to an object. */
  trailEvent: 1e-6,
  // Per month, each.
  webAcl: 5,
  wafRule: 1,
  key: 1,
  secret: 0.4,
  alarmMetric: 0.1,
  dashboard: 3,
  customMetric: 0.3,
} as const;

/** The month of these prices. */
export const pricesOf = "November 2025";
