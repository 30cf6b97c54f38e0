import { connect } from 'node:net';

/** Whether something listens on a port of 127.0.0.1. */
export const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('connect', () => socket.destroy());
    socket.on('error', () => resolve(false));
  });
