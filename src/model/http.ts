/** The target of a GET request without a body, and the four headers that its reply depends on, as sent; null if absent. */
export interface RequestHead {
  readonly host: string;
  readonly target: string;
  readonly authorization: string | null;
  readonly ifNoneMatch: string | null;
  readonly userAgent: string | null;
}

/** A response without a stream: sent unchanged by the HTTP server, or as a `Response`. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The client's network address and the id of the HTTP request; null for requests without an HTTP server. */
export interface Connection {
  readonly address: string | null;
  readonly requestId: string | null;
  /** Extends the time for the body of the request to five minutes. */
  awaitUpload?(): void;
}
