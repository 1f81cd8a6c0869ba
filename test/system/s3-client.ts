import { S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import type { CephAddress, CephKeys } from "./ceph.ts";

/** A client as the publisher would make it, but that never tries twice: a test wants to see every answer. */
export function connectS3(address: CephAddress, keys: CephKeys = address): S3Client {
  return new S3Client({
    endpoint: address.endpoint,
    region: address.region,
    credentials: { accessKeyId: keys.accessKeyId, secretAccessKey: keys.secretAccessKey },
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 1,
  });
}

/** An answer of the store in two words; "" is the error code of success. */
export interface Outcome {
  readonly status: number | undefined;
  readonly error: string;
}

/** Waits for a request and tells how the store answered. Throws what is no answer of a store (a socket that failed, say). */
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
