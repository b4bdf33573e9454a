import type { prices } from "./prices.ts";

/** The prices that apply to each resource type in the templates. */
export const pricesOfTypes: Readonly<Record<string, readonly (keyof typeof prices)[]>> = {
  "AWS::ApiGateway::RestApi": ["gatewayRequest", "transferredGigabyte"],
  "AWS::Backup::BackupVault": ["tableCopyGigabyte", "objectCopyGigabyte", "copiedGigabyte"],
  "AWS::CloudTrail::Trail": ["trailEvent"],
  "AWS::CloudWatch::Alarm": ["alarmMetric"],
  "AWS::CloudWatch::Dashboard": ["dashboard"],
  "AWS::DynamoDB::Table": ["readUnit", "writeUnit", "tableGigabyte", "recoveryGigabyte", "exportedGigabyte"],
  "AWS::KinesisFirehose::DeliveryStream": [
    "deliveredGigabyte",
    "decompressedGigabyte",
    "partitionedGigabyte",
    "partitionedObject",
  ],
  "AWS::KMS::Key": ["key", "keyRequest"],
  "AWS::KMS::ReplicaKey": ["key"],
  "AWS::Lambda::EventSourceMapping": ["queueRequest"],
  "AWS::Lambda::Function": ["lambdaRequest", "lambdaGigabyteSecond", "customMetric"],
  "AWS::Logs::LogGroup": ["loggedGigabyte", "logStorageGigabyte"],
  "AWS::Logs::MetricFilter": ["customMetric"],
  "AWS::S3::Bucket": ["objectGigabyte", "objectWrite", "objectRead", "transferredGigabyte"],
  "AWS::SES::ConfigurationSet": ["mail"],
  "AWS::SNS::Topic": ["published"],
  "AWS::SQS::Queue": ["queueRequest"],
  "AWS::Scheduler::Schedule": ["scheduled"],
  "AWS::SecretsManager::Secret": ["secret", "secretRequest"],
  "AWS::WAFv2::LoggingConfiguration": ["loggedGigabyte"],
  "AWS::WAFv2::WebACL": ["webAcl", "wafRule", "wafRequest"],
};

const partOfApi = "part of the API, which is billed by request";
const permission = "permissions are free";

/** The resource types without a price of their own, and the reason. */
export const freeTypes: Readonly<Record<string, string>> = {
  "AWS::ApiGateway::Account": partOfApi,
  "AWS::ApiGateway::BasePathMapping": partOfApi,
  "AWS::ApiGateway::Deployment": partOfApi,
  "AWS::ApiGateway::DomainName": partOfApi,
  "AWS::ApiGateway::GatewayResponse": partOfApi,
  "AWS::ApiGateway::Method": partOfApi,
  "AWS::ApiGateway::Resource": partOfApi,
  "AWS::ApiGateway::Stage": partOfApi,
  "AWS::Backup::BackupPlan": "its copies are billed in the vaults",
  "AWS::Backup::BackupSelection": "part of the plan",
  "AWS::Budgets::Budget": "a budget that only sends notifications is free",
  "AWS::CE::AnomalyMonitor": "free",
  "AWS::CE::AnomalySubscription": "free",
  "AWS::CloudFormation::Stack": "CloudFormation is free for resources of AWS",
  "AWS::IAM::Policy": permission,
  "AWS::IAM::Role": permission,
  "AWS::Lambda::EventInvokeConfig": "a setting of a function",
  "AWS::Lambda::Permission": permission,
  "AWS::Lambda::Version": "code is stored for free, up to 75 GB in a region",
  "AWS::Logs::LogStream": "part of a log",
  "AWS::Logs::SubscriptionFilter": "its lines are billed on delivery",
  "AWS::S3::BucketPolicy": permission,
  "AWS::SES::ConfigurationSetEventDestination": "its notifications are billed as published messages",
  "AWS::SES::EmailIdentity": "mails are billed, identities are free",
  "AWS::SNS::Subscription": "deliveries to a queue are free, those by mail up to 1,000 a month",
  "AWS::SNS::TopicPolicy": permission,
  "AWS::SQS::QueuePolicy": permission,
  "AWS::SSM::Parameter": "parameters of the standard tier are free",
  "AWS::WAFv2::WebACLAssociation": "part of the web ACL",
};
