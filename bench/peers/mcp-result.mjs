import { answer } from './given.mjs';

/** Whether the service answers with one event instead of JSON. */
export const isEvent = answer.headers['content-type'] === 'text/event-stream';

/** The result of the JSON-RPC response that the service has answered with. */
export const { result } = JSON.parse(isEvent ? /^data: (.*)$/m.exec(answer.body)[1] : answer.body);
