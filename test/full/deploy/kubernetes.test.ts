import assert from 'node:assert/strict';
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Service } from 'kubernetes-models/v1/Service';
import { parse } from 'yaml';
import { imageVariables, readDeployed, root } from '../../support/deployment.ts';
import { newFolder } from '../../support/files.ts';
import { runCommand } from '../../support/process.ts';

const manifest = (name: string) => parse(readDeployed(`kubernetes/${name}.yaml`));
const deployment = new Deployment(manifest('deployment'));
const configMap = new ConfigMap(manifest('profile'));
const service = new Service(manifest('service'));
const autoscaler = new HorizontalPodAutoscaler(manifest('autoscaler'));
const budget = new PodDisruptionBudget(manifest('disruption-budget'));
const pod = deployment.spec!.template.spec!;
const container = pod.containers[0]!;

test('every manifest follows the schema of its kind', () => {
  const all = { autoscaler, deployment, 'disruption-budget': budget, profile: configMap, service };
  assert.deepEqual(
    globSync('*.yaml', { cwd: join(root, 'deploy/kubernetes') }).sort(),
    Object.keys(all).map((name) => `${name}.yaml`),
  );
  for (const [name, model] of Object.entries(all)) assert.doesNotThrow(() => model.validate(), name);
});

test('the manifests name each other, and the pods that they are about', () => {
  const label = { 'app.kubernetes.io/name': 'candidate-profile' };
  assert.deepEqual(
    [
      deployment.spec!.template.metadata!.labels,
      deployment.spec!.selector.matchLabels,
      service.spec!.selector,
      budget.spec!.selector!.matchLabels,
      pod.topologySpreadConstraints![0]!.labelSelector!.matchLabels,
    ],
    Array(5).fill(label),
  );
  const { kind, name } = autoscaler.spec!.scaleTargetRef;
  assert.deepEqual([kind, name], ['Deployment', deployment.metadata!.name]);
  assert.equal(pod.volumes!.find((volume) => volume.name === 'profile')!.configMap!.name, configMap.metadata!.name);
  assert.deepEqual([service.spec!.ports![0]!.targetPort, container.ports![0]!.name], ['http', 'http']);
});

test('the container has the port and the folders of the image', () => {
  const { PORT, PROFILE, DATA_DIR } = imageVariables();
  assert.equal(container.ports![0]!.containerPort, Number(PORT));
  const mounts = Object.fromEntries(container.volumeMounts!.map(({ name, mountPath }) => [name, mountPath]));
  assert.deepEqual(mounts, { profile: '/profile', data: '/data', tmp: '/tmp' });
  assert.deepEqual([PROFILE, DATA_DIR], [`${mounts.profile}/profile.yaml`, `${mounts.data}/candidate-profile`]);
  assert.deepEqual(Object.keys(configMap.data!), ['profile.yaml']);
});

test('the pod is not root, cannot write to its root, and has no capabilities and no token of the cluster', () => {
  assert.equal(pod.automountServiceAccountToken, false);
  assert.deepEqual(
    [pod.securityContext!.runAsNonRoot, pod.securityContext!.runAsUser, pod.securityContext!.seccompProfile],
    [true, 1000, { type: 'RuntimeDefault' }],
  );
  assert.deepEqual(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
});

test('a roll-out takes no pod away before another one is ready, and a drain one at a time', () => {
  assert.deepEqual(deployment.spec!.strategy!.rollingUpdate, { maxSurge: 1, maxUnavailable: 0 });
  assert.equal(budget.spec!.maxUnavailable, 1);
  assert.deepEqual([autoscaler.spec!.minReplicas, deployment.spec!.replicas], [2, undefined]);
});

test('the profile to be filled in is valid, but no pod starts with it', async (t) => {
  const folder = newFolder(t);
  writeFileSync(join(folder, 'profile.yaml'), configMap.data!['profile.yaml']!);
  const checked = await runCommand(t, ['check', 'profile.yaml'], {}, folder);
  assert.equal(checked.code, 0, checked.stderr);
  const { code, stderr } = await runCommand(
    t,
    ['serve'],
    { PORT: '0', BASE_URL: 'https://profile.example.org' },
    folder,
  );
  assert.equal(code, 1);
  assert.match(stderr, /^OWNER_EMAIL: .*example\.org/m);
});
