import jwt from '@fastify/jwt';
import Fastify from 'fastify';
import { announce, answer, claims, headers, secret } from './given.mjs';

// https://github.com/fastify/fastify-jwt#usage

const data = JSON.parse(answer.body);
const fastify = Fastify();
fastify.register(jwt, { secret });
fastify.addHook('onRequest', async (request, reply) => {
  try {
    await request.jwtVerify();
  } catch (error) {
    reply.send(error);
  }
});
fastify.get('/candidate', async (_request, reply) => {
  reply.headers(headers);
  return data;
});
await fastify.listen({ port: 0, host: '127.0.0.1' });
announce(fastify.server.address(), fastify.jwt.sign(claims));
