import { Agent } from "node:http";
import { S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import type { CephKeys, StoreAddress } from "./ceph.ts";

/**
 * A client like that of the program, but without retries, because tests check every answer. Each request has a connection
 * of its own, because the gateway closes free ones, and a request on such a one fails.
 */
export function connectS3(address: StoreAddress, keys: CephKeys = address): S3Client {
  return new S3Client({
    endpoint: address.endpoint,
    region: address.region,
    credentials: { accessKeyId: keys.accessKeyId, secretAccessKey: keys.secretAccessKey },
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 1,
    requestHandler: { httpAgent: new Agent({ keepAlive: false }) },
  });
}

/** Status and error code of an answer; the error of a success is "". */
export interface Outcome {
  readonly status: number | undefined;
  readonly error: string;
}

/** Waits for a request and returns the store's answer. Rethrows errors that are not answers of a store, such as a broken socket. */
export async function outcomeOf(
  request: Promise<{ readonly $metadata: { readonly httpStatusCode?: number | undefined } }>,
): Promise<Outcome> {
  try {
    return { status: (await request).$metadata.httpStatusCode, error: "" };
  } catch (error) {
    if (!(error instanceof S3ServiceException)) throw error;
    return { status: error.$metadata.httpStatusCode, error: error.name };
  }
}
